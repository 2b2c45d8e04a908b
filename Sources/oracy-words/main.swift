import HearingWorker

WordsWorker.main()
