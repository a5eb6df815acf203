# Faces: those that players choose, and the characters of the bots.

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

# What the bots say now and then, each by its character.

# Hasan: patient, at his ease.
says-0-1 = No hurry, the tea is still hot.
says-0-2 = Tiles come to those who sit.
says-0-3 = There is a lesson here, somewhere.
says-0-4 = The tiles walk, I only watch.
says-0-5 = Thirty years, and still no tiles.

# Emre: counts everything.
says-1-1 = I worked it out: maybe.
says-1-2 = The odds are mine, the tiles not.
says-1-3 = That was on purpose. Note it down.
says-1-4 = On paper I am winning.
says-1-5 = The formula is right. Life isn't.

# Kemal: tells of old days.
says-2-1 = In our day tiles were heavier.
says-2-2 = I saw this once, in 1974.
says-2-3 = Open in haste, pay at leisure.
says-2-4 = My grandson will hear of this.
says-2-5 = They wrote songs of such hands.

# Fatma: runs the house.
says-3-1 = Food is on the stove, be quick.
says-3-2 = Stuffing vine leaves is harder.
says-3-3 = I know who will tidy this up.
says-3-4 = Don't tell the neighbours.
says-3-5 = One hand here, one on the tea.

# Murat: drives for a living.
says-4-1 = I am this calm in traffic too.
says-4-2 = We took the short cut. Traffic.
says-4-3 = This tile came the wrong way.
says-4-4 = I'll ring when I get there.
says-4-5 = A long road, few tiles.

# Derya: can't keep quiet.
says-5-1 = I won't say a word. That was six.
says-5-2 = This hand is a long story.
says-5-3 = They praised my patience. See?
says-5-4 = I played well. Nobody looked.
says-5-5 = This is the last one, truly.

# Selim: a quiet man.
says-6-1 = I keep quiet, let the tiles talk.
says-6-2 = Excuse me, that was the plan.
says-6-3 = I don't believe in luck. Yet.
says-6-4 = I am calm. The rack shakes.
says-6-5 = I laughed. Inside.

# Aslı: teaches.
says-7-1 = In an exam this would be a fail.
says-7-2 = Seen this? Nobody would teach.
says-7-3 = In the margin: not today either.
says-7-4 = There is time until the bell.
says-7-5 = Easy question, hard answers.
