// swift-tools-version: 6.2
// Programs that are made with Oracy: a room, an uploader, an assessor and a route of one's own. To be copied.
import PackageDescription

let package = Package(
    name: "oracy-examples",
    // In a package of your own: the path of the folder that Oracy lies in.
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
