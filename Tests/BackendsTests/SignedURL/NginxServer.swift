import Foundation
import Glibc
import LoopbackServers
import SystemSupport

/// nginx on loopback as a storage server with simple signed addresses: WebDAV's PUT behind `secure_link`, which checks
/// signatures and expiry.
final class NginxServer: Sendable {
    static let secret = "a shared secret"
    /// The limit for the size of a body, in bytes.
    static let largest = 262_144

    let endpoint: String
    /// The folder of the objects.
    let objects: String
    private let server: TrialServer

    /// The reason why nginx can't run here, in one plain sentence; nil if it is installed.
    static let obstacle =
        ["/usr/sbin/nginx", "/usr/bin/nginx"].contains { (path: String) in access(path, X_OK) == 0 }
        ? nil : "nginx is not installed: apt-get install nginx-light"

    /// - Parameter fullDisk: The folder behind `/full/`.
    init(fullDisk: String = "/nowhere") throws {
        for _ in 0..<3 {
            // A free port may be taken a moment later.
            guard let port = freePort() else { continue }
            let started = try? TrialServer("nginx") { folder in
                let settings = Self.settings(folder, port: port, fullDisk: fullDisk)
                _ = FileManager.default.createFile(atPath: "\(folder)/nginx.conf", contents: Data(settings.utf8))
                try? FileManager.default.createDirectory(
                    atPath: "\(folder)/objects", withIntermediateDirectories: true)
                let script = """
                    PATH=$PATH:/usr/sbin nginx -p "$1" -c "$1/nginx.conf" || exit 1
                    echo ready; read end; kill "$(cat "$1/nginx.pid")"
                    """
                return ["sh", "-c", script, "sh", folder]
            }
            guard let started else { continue }
            server = started
            endpoint = "http://127.0.0.1:\(port)"
            objects = started.folder + "/objects"
            return
        }
        throw TrialServer.Failure(description: "nginx does not start")
    }

    /// Returns an address for one object that is valid for a number of seconds.
    func sign(_ key: String, in place: String = "objects", seconds: Int = 600, secret: String = NginxServer.secret)
        -> String
    {
        let expires = Int(Date().timeIntervalSince1970) + seconds
        var digest = MD5()!
        Array("\(expires)/\(place)/\(key) \(secret)".utf8).withUnsafeBytes { digest.update($0) }
        let signature = Data(digest.bytes()).base64EncodedString().replacing("+", with: "-").replacing("/", with: "_")
            .replacing("=", with: "")
        return "\(endpoint)/\(place)/\(key.replacing(" ", with: "%20"))?md5=\(signature)&expires=\(expires)"
    }

    private static func settings(_ folder: String, port: Int, fullDisk: String) -> String {
        let temporary = ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"]
            .map { "\($0)_temp_path \(folder)/\($0);" }.joined(separator: " ")
        let put = "dav_methods PUT; create_full_put_path on; dav_access user:rw;"
        let check = """
            secure_link $arg_md5,$arg_expires; secure_link_md5 "$secure_link_expires$uri \(secret)";
            if ($secure_link = "") { return 403; } if ($secure_link = "0") { return 410; }
            """
        return """
            \(getuid() == 0 ? "user root;" : "") pid \(folder)/nginx.pid; error_log \(folder)/error.log; worker_processes 1;
            events {}
            http {
                access_log off; \(temporary) client_max_body_size \(largest);
                server {
                    listen 127.0.0.1:\(port);
                    location /objects/ { root \(folder); \(put) \(check) }
                    location /full/ { alias \(fullDisk)/; \(put) \(check) }
                    location /out-of-room/ { return 507; }
                }
            }
            """
    }
}
