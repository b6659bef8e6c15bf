;;; An agent that learns: it plays the move after which its games ended best on average, and while it learns one in four at random.
;;; damier train hexapawn "process:run=sbcl --script learning_agent.lisp" --games 1000 -o learnt.json
;;; What it has learnt is one text (docs/agent_protocol.md): the list ((position move) games mean) of Lisp, and so on.
(defvar *known* (make-hash-table :test #'equal))
(defvar *taken* '())
(defvar *learning* nil)
(defvar *random* (sb-ext:seed-random-state 0))

(defun after (line key end) ; what stands behind a key, up to one of some signs
  (let ((at (search (format nil "\"~A\": " key) line)))
    (when at (incf at (+ 4 (length key)))
      (subseq line at (position-if (lambda (c) (find c end)) line :start at)))))

(defun words (text) ; the texts in quotes
  (loop for begin = (position #\" text) then (position #\" text :start (1+ end))
        for end = (and begin (position #\" text :start (1+ begin)))
        while end collect (subseq text (1+ begin) end)))

(defun known (state move)
  (let ((key (list state move))) (or (gethash key *known*) (setf (gethash key *known*) (list 1 0d0)))))

(defun hear (line)
  (let ((type (first (words (after line "type" ",}")))) (state (after line "state" "]")) (moves (words (or (after line "legal" "]") ""))))
    (flet ((is (name) (string= type name)) (mean (move) (second (known state move))))
      (cond ((is "hello") (format t "{\"protocol\": 2, \"learns\": true, \"scores\": true, \"saves\": true}~%"))
            ((is "new_game") (setf *taken* '() *learning* (search "\"learning\": true" line)
                                   *random* (sb-ext:seed-random-state (parse-integer (after line "seed" ",}")))))
            ((is "end") (when *learning* (dolist (one *taken*)
               (incf (second one) (/ (- (parse-integer (after line "payoff" ",}")) (second one)) (incf (first one)))))))
            ((is "save") (format t "{\"data\": \"~{~A~^;~}\"}~%" (loop for key being the hash-keys of *known* using (hash-value one)
               collect (format nil "~A|~A|~D|~F" (first key) (second key) (first one) (second one)))))
            ((is "load") (dolist (each (parts (first (words (after line "data" "}"))) #\;)) (destructuring-bind (s m n x) (parts each #\|)
               (setf (gethash (list s m) *known*) (list (parse-integer n) (coerce (read-from-string x) 'double-float))))) (format t "{\"loaded\": true}~%"))
            ((is "score") (format t "{\"scores\": {~{\"~A\": ~F~^, ~}}}~%" (loop for move in moves collect move collect (mean move))))
            (t (let ((best (if (and *learning* (= 0 (random 4 *random*))) (nth (random (length moves) *random*) moves)
                               (first (stable-sort (copy-list moves) #'> :key #'mean)))))
                 (push (known state best) *taken*) (format t "{\"move\": \"~A\"}~%" best)))))))
(defun parts (text sign) (loop for at = 0 then (1+ end) for end = (position sign text :start at) collect (subseq text at end) while end))
(loop for line = (read-line *standard-input* nil) while line do (hear line) (finish-output))
