import Hummingbird
import HummingbirdCore
import JWTKit
import NIOWebSocket
import ExamStore
