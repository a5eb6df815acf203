# Faces: those that players choose.

face-legend = Your face at the table
face-8 = Long red hair
face-9 = Long brown hair, moustache
face-10 = Hair gone on top
face-11 = Red headscarf
face-12 = Beard and glasses
face-13 = Grey bun and glasses
face-14 = Flat cap, moustache
face-15 = Brown hair and glasses
face-16 = Brown bun
face-17 = Black hair, moustache
face-18 = Fair curls and glasses
face-19 = Purple headscarf
face-20 = Hair gone on top, beard and glasses
face-21 = Light brown hair
face-22 = Red bun and glasses
face-23 = Short brown hair
