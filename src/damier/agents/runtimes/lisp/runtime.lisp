;;; What damier asks of an agent in Lisp: its functions are called as lines of JSON say (docs/agent_protocol.md).
;;;
;;;     sbcl --load runtime.lisp --end-toplevel-options SOURCES
;;;
;;; SOURCES are its files in one, each after a line with its name. Only what they define is read, so that a call which tries
;;; something out does not teach the agent.

(defpackage :damier (:use :cl))
(shadow 'cl-user::random :cl-user)
(defmacro cl-user::while (condition &body body) `(loop while ,condition do (progn ,@body)))
(in-package :damier)
(declaim (sb-ext:muffle-conditions warning sb-ext:compiler-note))

(defvar *answers* (sb-sys:make-fd-stream 1 :output t :external-format :utf-8 :buffering :full))
(defvar *questions* (sb-sys:make-fd-stream 0 :input t :external-format :utf-8 :buffering :full))

;;; Random numbers: those that follow from the number that came with the question. The least and the largest stand for themselves.

(defconstant +largest+ (1- (expt 2 53)))
(defvar *given* 1)
(defvar *state* 1)
(defvar *drawn* 0)
(defvar *calls* 0)
(defvar *entered* nil "The function that was called last.")

(defun begin (number) (setf *given* number *state* number *drawn* 0 *calls* 0))

(defun bits () ; splitmix64 (Steele, Lea and Flood, 2014); 53 bits of it
  (incf *drawn*)
  (if (or (= *given* 0) (= *given* +largest+))
      *given*
      (let ((z (setf *state* (ldb (byte 64 0) (+ *state* #x9E3779B97F4A7C15)))))
        (setf z (ldb (byte 64 0) (* (logxor z (ash z -30)) #xBF58476D1CE4E5B9)))
        (setf z (ldb (byte 64 0) (* (logxor z (ash z -27)) #x94D049BB133111EB)))
        (ash (logxor z (ash z -31)) -11))))

(defun cl-user::random (limit &optional state)
  (declare (ignore state))
  (if (integerp limit)
      (floor (* limit (bits)) (expt 2 53))
      (* limit (/ (float (bits) limit) (expt 2 53)))))

;;; JSON: an object is a list of pairs, a list a vector.

(defun next (line at) (or (position-if-not (lambda (c) (find c " ,:")) line :start at) (length line)))

(defun read-json (line at)
  "The value that begins there, and where it ends."
  (setf at (next line at))
  (case (char line at)
    (#\{ (let ((found '()))
           (loop (setf at (next line (if found at (1+ at))))
                 (when (char= (char line at) #\}) (return (values (nreverse found) (1+ at))))
                 (multiple-value-bind (key end) (read-json line at)
                   (multiple-value-bind (value end) (read-json line end)
                     (push (cons key value) found)
                     (setf at end))))))
    (#\[ (let ((found (make-array 0 :adjustable t :fill-pointer t)))
           (incf at)
           (loop (setf at (next line at))
                 (when (char= (char line at) #\]) (return (values found (1+ at))))
                 (multiple-value-bind (value end) (read-json line at)
                   (vector-push-extend value found)
                   (setf at end)))))
    (#\" (let ((found (make-string-output-stream)))
           (loop (case (char line (incf at))
                   (#\" (return (values (get-output-stream-string found) (1+ at))))
                   (#\\ (case (char line (incf at))
                          (#\u (write-char (code-char (parse-integer line :start (1+ at) :end (+ at 5) :radix 16)) found)
                               (incf at 4))
                          (#\n (write-char #\Newline found))
                          (t (write-char (char line at) found))))
                   (t (write-char (char line at) found))))))
    (t (let* ((end (or (position-if (lambda (c) (find c ",]} ")) line :start at) (length line)))
              (word (subseq line at end)))
         (values (cond ((string= word "true") t)
                       ((find word '("false" "null") :test #'string=) nil)
                       ((find #\. word) (let ((*read-default-float-format* 'double-float)) (read-from-string word)))
                       (t (parse-integer word)))
                 end)))))

(defun write-json (value to)
  (typecase value
    (null (write-string "null" to))
    ((eql t) (write-string "true" to))
    (integer (format to "~D" value))
    (real (format to "~F" value))
    (string (write-char #\" to)
     (loop for c across value
           do (cond ((find c "\"\\") (format to "\\~C" c))
                    ((< (char-code c) 32) (format to "\\u~4,'0x" (char-code c)))
                    (t (write-char c to))))
     (write-char #\" to))
    (symbol (write-json (string-downcase (symbol-name value)) to))
    (list (write-char #\[ to)
     (loop for (each . more) on value do (write-json each to) (when more (write-string ", " to)))
     (write-char #\] to))
    (t (write-json (princ-to-string value) to))))

(defun answer (&rest facts)
  "Writes keys and values; a value that is a function writes itself."
  (write-char #\{ *answers*)
  (loop for (key value . more) on facts by #'cddr
        do (format *answers* "\"~A\": " key)
           (if (functionp value) (funcall value *answers*) (write-json value *answers*))
           (when more (write-string ", " *answers*)))
  (format *answers* "}~%"))

(defun false (to) (write-string "false" to))

;;; The files: what they define.

(defvar *places* (make-hash-table) "Where a function is defined, FILE:LINE.")
(defvar *broken* nil "What is wrong with the files.")

(defun begins (text at)
  "Where the next form begins, behind space and comments."
  (loop (let ((found (position-if-not (lambda (c) (find c '(#\Space #\Tab #\Newline #\Return #\Page))) text :start at)))
          (if (and found (char= (char text found) #\;))
              (setf at (or (position #\Newline text :start found) (length text)))
              (return found)))))

(defun counted (form)
  "The same, in which the calls of functions are counted that it defines."
  (cond ((or (atom form) (eq (car form) 'quote)) form)
        ((and (eq (car form) 'defun) (consp (cdr form)))
         (cons 'defun (counted-definition (cons (second form) (mapcar #'counted (cddr form))))))
        ((and (find (car form) '(labels flet)) (consp (cdr form)) (listp (second form)))
         (list* (car form)
                (loop for each in (second form)
                      collect (if (consp each) (counted-definition (mapcar #'counted each)) each))
                (mapcar #'counted (cddr form))))
        ((null (cdr (last form))) (mapcar #'counted form))
        (t form)))

(defun counted-definition (form)
  "A name, parameters and what is done, after which a call is counted."
  (destructuring-bind (name arguments . body) form
    (let ((first (or (position-if-not (lambda (part) (or (stringp part) (and (consp part) (eq (car part) 'declare)))) body)
                     (length body))))
      (when (= first (length body)) (setf first 0))
      `(,name ,arguments ,@(subseq body 0 first) (incf *calls*) (setf *entered* ',name) ,@(subseq body first)))))

(defun define (form place)
  (when (consp form)
    (case (car form)
      (defun (setf (gethash (second form) *places*) place)
       (eval (counted form)))
      (setq (loop for (name) on (cdr form) by #'cddr do (eval `(defvar ,name)))
       (eval form))
      ((defparameter defvar defconstant defmacro defstruct deftype declaim setf) (eval form)))))

(defun read-file (name text)
  (let ((*package* (find-package :cl-user)))
    (loop for begin = (begins text 0) then (begins text at)
          for at = 0
          for line = (and begin (1+ (count #\Newline text :end begin)))
          while begin
          do (let ((place (format nil "~A:~D" name line)))
               (handler-case
                   (multiple-value-bind (form end) (read-from-string text t nil :start begin)
                     (define form place)
                     (setf at end))
                 (end-of-file ()
                   (setf *broken* (format nil "~A: a parenthesis that is opened here is not closed" place))
                   (return))
                 (error (error)
                   (setf *broken* (format nil "~A: ~A" place (in-one-line error)))
                   (return)))))))

(defun in-one-line (error)
  (substitute #\Space #\Newline (princ-to-string error)))

(defun read-files (path)
  (with-open-file (stream path :external-format :utf-8)
    (let ((name nil) (text (make-string-output-stream)))
      (flet ((finish () (let ((found (get-output-stream-string text))) (when (and name (not *broken*)) (read-file name found)))))
        (loop for line = (read-line stream nil)
              while line
              do (if (and (plusp (length line)) (char= (char line 0) (code-char 30)))
                     (progn (finish) (setf name (subseq line 1)))
                     (write-line line text)))
        (finish)))))

;;; The functions of the document.

(defun known (name) (let ((symbol (find-symbol name :cl-user))) (and symbol (fboundp symbol) symbol)))

(defun takes (function)
  "How many arguments a function must be given."
  (let ((arguments (sb-kernel:%fun-lambda-list (fdefinition function))))
    (or (position-if (lambda (each) (find each lambda-list-keywords)) arguments) (length arguments))))

(defun value-of (name) (let ((symbol (find-symbol name :cl-user))) (and symbol (boundp symbol) (symbol-value symbol))))

(defun actions () (or (value-of "*ACTIONS*") (value-of "ACTIONS")))

(defvar *agents* (make-hash-table) "What each knows: its name and its list of actions.")

(defun choice (matches)
  (let ((successors (known "SUCCESSEURS")) (random (known "RANDOMSUCCESSEURS")))
    (funcall random (if successors (funcall successors matches (actions)) (cdr (assoc matches (actions)))))))

(defun explored (function matches moves begins)
  "Has a game played by a function of the document, in which these moves are made."
  (let* ((left (coerce moves 'list))
         (dictated (lambda (&rest arguments)
                     (declare (ignore arguments))
                     (if left (pop left) (error "it chooses once more than there are moves in the game"))))
         (replaced (remove nil (list (known "RANDOMSUCCESSEURS") (known "JEUJOUEUR"))))
         (kept (mapcar #'fdefinition replaced)))
    (unwind-protect
         (progn
           (dolist (each replaced) (setf (fdefinition each) dictated))
           (if (>= (takes function) 3)
               (funcall function matches (actions) (if begins 'cl-user::ia 'cl-user::humain))
               (let ((first (if begins 0 (pop left))))
                 (when (plusp (- matches first)) (funcall function (- matches first) (actions))))))
      (mapc (lambda (each function) (setf (fdefinition each) function)) replaced kept))
    nil))

(defun symbol-of (text) (intern (string-upcase (substitute #\- #\_ text)) :cl-user))

(defun as-lisp (value)
  "A value of JSON as the document has it: texts are symbols, lists are lists."
  (typecase value
    (string (symbol-of value))
    (vector (map 'list #'as-lisp value))
    (t value)))

(defun asked (name arguments)
  "A function of the document, with as many arguments as it takes."
  (let* ((function (symbol-of name))
         (words (sb-kernel:%fun-lambda-list (fdefinition function)))
         (most (if (intersection words '(&rest &key)) (length arguments) (count-if-not (lambda (word) (find word lambda-list-keywords)) words))))
    (apply function (map 'list #'as-lisp (subseq arguments 0 (min most (length arguments)))))))

(defun reinforced (name matches base games)
  "Games of a function of the document from so many matches: what was drawn in each, and the base after it."
  (let* ((function (symbol-of name)) (draw (known "RANDOMSUCCESSEURS")) (kept (fdefinition draw)) (drawn '()))
    (setf (symbol-value (symbol-of "*ACTIONS*")) (as-lisp base)
          (fdefinition draw) (lambda (actions) (let ((answer (funcall kept actions))) (push answer drawn) answer)))
    (unwind-protect
         (loop repeat games
               do (setf drawn '())
                  (if (>= (takes function) 3)
                      (funcall function matches (value-of "*ACTIONS*") 'cl-user::ia)
                      (funcall function matches (value-of "*ACTIONS*")))
               collect (list (reverse drawn) (copy-tree (value-of "*ACTIONS*"))))
      (setf (fdefinition draw) kept))))

(defun called (name arguments)
  (cond ((string= name "coup") (choice (aref arguments 0)))
        ((string= name "explore_renf")
         (explored (known (first (gethash (aref arguments 3) *agents*))) (aref arguments 0) (aref arguments 1) (aref arguments 2)))
        (t (asked name arguments))))

(defun hello ()
  (answer "protocol" 2
          "agents" (lambda (to)
                     (write-char #\{ to)
                     (loop for (name . more) on (loop for (name function) in '(("ExploreRenf" "EXPLORE-RENF")
                                                                               ("ExploreRenfRec" "EXPLORE-RENF-REC"))
                                                      when (and (known function) (known "RANDOMSUCCESSEURS")) collect name)
                           do (format to "\"~A\": [\"coup\", \"explore_renf\"]" name)
                              (when more (write-string ", " to)))
                     (write-char #\} to))
          "functions" (or (loop for name being the hash-keys of *places*
                                collect (substitute #\_ #\- (string-downcase (symbol-name name))))
                          (lambda (to) (write-string "[]" to)))
          "attributes" t))

;;; What somebody types is asked for line by line.

(defclass typed (sb-gray:fundamental-character-input-stream) ((line :initform "") (at :initform 0)))

(defmethod sb-gray:stream-read-char ((stream typed))
  (with-slots (line at) stream
    (when (= at (length line))
      (answer "asks" "line")
      (finish-output *answers*)
      (let ((typed (cdr (assoc "line" (read-json (read-line *questions*) 0) :test #'string=))))
        (setf line (if typed (format nil "~A~%" typed) "") at 0)))
    (if (string= line "") :eof (prog1 (char line at) (incf at)))))

(defmethod sb-gray:stream-unread-char ((stream typed) char)
  (declare (ignore char))
  (decf (slot-value stream 'at))
  nil)

;;; Messages.

(defun as-list (value) (if (and (vectorp value) (not (stringp value))) (map 'list #'as-list value) value))

(defun hear (message)
  (flet ((fact (key) (cdr (assoc key message :test #'string=))))
    (let* ((type (fact "type")) (agent (fact "agent")) (known (gethash agent *agents*)))
      (begin (or (fact "random") 1))
      (cond ((string= type "hello") (if *broken* (answer "fault" *broken*) (hello)))
            ((string= type "make")
             (setf (gethash agent *agents*)
                   (list (if (string= (fact "name") "ExploreRenf") "EXPLORE-RENF" "EXPLORE-RENF-REC") (copy-tree *first*)))
             (answer "value" nil))
            ((string= type "copy") (setf (gethash (fact "to") *agents*) (copy-tree known)) (answer "value" nil))
            ((string= type "drop") (remhash agent *agents*))
            ((string= type "attributes")
             (answer "value" (lambda (to) (write-string "{\"actions\": " to) (write-json (second known) to) (write-char #\} to))))
            ((string= type "get")
             (if (string= (fact "name") "actions") (answer "value" (second known)) (answer)))
            ((string= type "set")
             (when (string= (fact "name") "actions") (setf (second known) (as-list (fact "value"))))
             (answer "value" nil))
            ((string= type "reinforced")
             (answer "value" (reinforced (fact "name") (fact "matches") (fact "base") (fact "games"))))
            (t (let ((arguments (fact "arguments")) (value nil) (*standard-input* (make-instance 'typed)))
                 (when agent (setf arguments (concatenate 'vector arguments (vector agent))))
                 (when known (setf (symbol-value (symbol-of "*ACTIONS*")) (second known)))
                 (setf value (called (fact "name") arguments))
                 (when known (setf (second known) (value-of "*ACTIONS*")))
                 (answer "value" value "drawn" (if (plusp *drawn*) t #'false) "calls" *calls*)))))))

(defun place-of-fault ()
  "The first function of the files that was at work."
  (sb-debug::map-backtrace
   (lambda (frame)
     (let* ((name (sb-di:debug-fun-name (sb-di:frame-debug-fun frame)))
            (place (gethash (if (consp name) (find-if (lambda (each) (gethash each *places*)) name) name) *places*)))
       (when place (return-from place-of-fault (format nil "~A: " place)))))
   :count 500)
  "")

(defun place-entered ()
  "Where the function is that was called last: a full stack has no room for looking through it."
  (let ((place (gethash *entered* *places*)))
    (if place (format nil "~A: " place) "")))

(defun serve ()
  (loop for line = (read-line *questions* nil)
        while line
        do (let* ((place "")
                  (fault (block message
                           (handler-bind ((serious-condition ; the stack may be full: what is said is said behind it
                                            (lambda (error)
                                              (setf place (if (typep error 'storage-condition) (place-entered) (place-of-fault)))
                                              (return-from message error))))
                             (hear (read-json line 0))
                             nil))))
             (when fault (answer "fault" (format nil "~A~A" place (in-one-line fault)))))
           (finish-output *answers*)))

(defvar *first* nil "The list of actions as the files have it.")

(let ((*standard-output* (make-broadcast-stream)) (*error-output* (make-broadcast-stream)))
  (let ((words sb-ext:*posix-argv*)) ; whole, or without the options of Lisp
    (read-files (second (or (member "--end-toplevel-options" words :test #'string=) words))))
  (setf *first* (value-of "*ACTIONS*"))
  (serve))
(sb-ext:exit :abort t)
