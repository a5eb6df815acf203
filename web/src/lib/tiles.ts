/** Tiles in the notation of the protocol: `R7`, `F` (false joker), `*` (okey). */

export type Colour = "R" | "Y" | "B" | "K";

export interface Face {
  colour: Colour;
  number: number;
}

export const COLOURS: readonly Colour[] = ["R", "Y", "B", "K"];

/** A tile's colour and number; null for the false joker and the okey. */
export function faceOf(tile: string): Face | null {
  const match = /^([RYBK])(\d{1,2})$/.exec(tile);
  if (!match) return null;
  return { colour: match[1] as Colour, number: Number(match[2]) };
}

/** What a tile counts as in a meld: a false joker is the okey's own kind. */
export function meaningOf(tile: string, okey: string): Face | null {
  return faceOf(tile === "F" ? okey : tile);
}

/** The tiles of a rack or a pile, as the protocol writes them. */
export function tilesIn(text: string): string[] {
  return text.split(" ").filter((word) => word !== "");
}

/** The tile a piece of a meld is made of: `*R8` is an okey that stands for red 8. */
export function tileOfPiece(piece: string): string {
  return piece.startsWith("*") ? "*" : piece;
}
