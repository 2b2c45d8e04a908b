import ExamServer

print("x")
