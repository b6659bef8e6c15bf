"""What a student's file can be asked: functions of (StudentFile, Question), in its own process."""
