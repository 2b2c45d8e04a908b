// swift-tools-version: 6.2
// Programs that use Oracy, to be copied: a room, an uploader, an assessor and a route.
import PackageDescription

let package = Package(
    name: "oracy-examples",
    // In your own package, the path of Oracy's folder.
    dependencies: [.package(name: "oracy", path: "..")],
    targets: [
        .executableTarget(name: "pipe-room", dependencies: [.product(name: "ExamKit", package: "oracy")]),
        .executableTarget(
            name: "own-uploader",
            dependencies: [
                .product(name: "ExamKit", package: "oracy"), .product(name: "UploadQueue", package: "oracy"),
            ]),
        .executableTarget(
            name: "own-server",
            dependencies: [
                .product(name: "Assessment", package: "oracy"), .product(name: "ExamServer", package: "oracy"),
            ]),
    ]
)
