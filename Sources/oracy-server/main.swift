import ExamServer
print("x")
