;;; TP2
(defparameter *actions* '((16 3 2 1) (15 3 2 1) (14 3 2 1) (13 3 2 1) (12 3 2 1) (11 3 2 1) (10 3 2 1)
  (9 3 2 1) (8 3 2 1) (7 3 2 1) (6 3 2 1) (5 3 2 1) (4 3 2 1) (3 3 2 1) (2 2 1) (1 1)))

(defun successeurs (allumettes actions)
  (cdr (assoc allumettes actions)))

(defun Randomsuccesseurs (actions)
  (let ((r (random (length actions))))
    ;;(format t "~&~2t Resultat du random ~s~" r)
    (nth r actions)
  )
)

(defun JeuJoueur (nbAllu actions)
  (if (AND (< nbAllu 17) (> nbAllu -1) (integerp nbAllu) (listp
    actions))
    (let ((coup nil) (succ (successeurs nbAllu actions)))
      (format t "min:~d, max:~d~&" (car (last succ)) (car succ))
      (princ "Entrez le nombre d'allumettes a enlever :")
      (setq coup (read))

      (while (not (member coup succ))
        (format t "Erreur saisie le nombre~&")
        (format t "min:~d,max:~d~&" (car (last succ)) (car succ))
        (princ "Entrez le nombre d'allumettes a enlever :")
        (setq coup (read))
      )
    coup
  )
)
)

(defun renforcement (allumettes coup_gagnant actions)
  (let* ((etat (assoc allumettes actions))(actions_nouv (remove
    etat actions)))
    (format t "Renforcement de l'etat ~s avec l'action ~s~&"
      allumettes coup_gagnant)
    (setq etat (append (list (car etat) coup_gagnant) (cdr etat)))
    (push etat actions_nouv)
    (sort actions_nouv #'> :key #'car)
  )
)

(defun explore-renf-rec (allumettes actions)
  (let ((choix_possibles (successeurs allumettes actions))
        (action_IA NIL) (action_humain NIL))

    (format t "Restant IA : ~s ~s~&" allumettes choix_possibles)
    (setq action_IA (Randomsuccesseurs choix_possibles))
    (format t "choisi IA : ~s~2%" action_IA)

    (if (equal (- allumettes action_IA) 0)
        NIL

        (progn
          (format t "Restant humain : ~s ~s~&" (- allumettes
action_IA) (successeurs (- allumettes action_IA) actions))
          (setq action_humain (Randomsuccesseurs (successeurs (-
allumettes action_IA) actions))) ;; choix aleatoire de l'humain
          (format t "choisi humain : ~s~2%" action_humain)

          (if (equal (- allumettes action_IA action_humain) 0)
              (progn
                (setq *actions* (renforcement allumettes action_IA *actions*))
                actions
              )
              (if (explore-renf-rec (- allumettes action_IA
action_humain) actions)
                  (progn
                    (setq *actions* (renforcement allumettes action_IA *actions*))
                    actions
                  )
                  NIL
                )
            )
          )
        )
    )
  )

(dotimes (x 1000)(explore-renf-rec 16 *actions*))
(defun explore-renf (allumettes actions)
  (let ((choix_possibles (successeurs allumettes actions))
        (action_IA NIL) (action_humain NIL))
    (setq action_IA (Randomsuccesseurs choix_possibles))
    (if (equal (- allumettes action_IA) 0)
        NIL
        (progn
          (setq action_humain (Randomsuccesseurs (successeurs (- allumettes action_IA) actions))) ;; choix aleatoire de l'humain
          (if (equal (- allumettes action_IA action_humain) 0)
              (progn
                (setq *actions* (renforcement allumettes action_IA *actions*))
                actions
              )
              (explore-renf (- allumettes action_IA action_humain) actions))))))
