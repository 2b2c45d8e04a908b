public import ExamNode
import Foundation
public import Hummingbird

/// Adds all ways of uploading recordings except `PUT …/recording` (`RecordingIntake.put`): resumable uploads (tus
/// 1.0.0) and signed upload addresses.
///
/// - Parameter routes: the group `/v1` behind authentication, which must let `PUT /v1/uploads/direct/…` pass without a
///   token, because its address is the permission.
public func addUploadRoutes(to routes: RouterGroup<ServerContext>, services: Services) {
    ResumableUploadRoutes(services: services).add(to: routes)
    SignedUploadRoutes(services: services).add(to: routes)
}
