/** Which parts the 24 drawn faces are put together from, and whose they are. */

/** How many there are. */
export const FACES = 24;

/** The first of them are the bots': nobody else may have those. */
export const BOT_FACES = 8;

/** Skin, hair, its cut, what grows or lies on the face, clothes: indices into what is drawn. */
export interface Parts {
  skin: number;
  hair: number;
  cut: number;
  beard: number;
  glasses: boolean;
  cloth: number;
}

/** One word a face: skin, hair, cut, beard, glasses, cloth. */
const WORDS =
  "037204 120014 012103 206001 101200 225005 011103 144002 " +
  "053001 313100 222004 306003 000215 134011 217102 010010 " +
  "324003 001104 145015 236000 302211 120002 054013 211005";

/** The parts of a face; of any number, so that none is ever missing. */
export function partsOf(face: number): Parts {
  const word = WORDS.split(" ")[((face % FACES) + FACES) % FACES] ?? "000000";
  const [skin = 0, hair = 0, cut = 0, beard = 0, glasses = 0, cloth = 0] = [...word].map(Number);
  return { skin, hair, cut, beard, glasses: glasses === 1, cloth };
}

/** One of those that people may have, drawn at random. */
export function aFace(): number {
  return BOT_FACES + Math.floor(Math.random() * (FACES - BOT_FACES));
}

/** A person's face: without one that was chosen that of the name, the same wherever it is seen. */
export function faceOfPerson(name: string, chosen?: number | null): number {
  if (typeof chosen === "number") return chosen;
  let sum = 0;
  for (const letter of name) sum = (sum * 31 + (letter.codePointAt(0) ?? 0)) % 65_521;
  return BOT_FACES + (sum % (FACES - BOT_FACES));
}
