import ExamStore
import Foundation
public import Hummingbird

/// Every way by which recordings get in but `PUT …/recording` (`RecordingIntake.put`): resumable uploads (tus 1.0.0) and addresses to upload
/// to (C14).
///
/// - Parameter routes: of `/v1`, behind authentication, which has to let `PUT /v1/uploads/direct/…` pass without a token: its address
///   is its permission.
public func addUploadRoutes(to routes: RouterGroup<ServerContext>, services: Services) {
    ResumableUploadRoutes(services: services).add(to: routes)
    SignedUploadRoutes(services: services).add(to: routes)
}
