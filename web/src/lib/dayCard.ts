/** A day's result as a picture: what was reached, and not a word of the tiles. */

const [WIDTH, HEIGHT] = [1200, 630];
/** How long a browser may take to begin to keep the file. */
const KEPT_MS = 10_000;

/** What stands on it, in the reader's language. */
export interface Card {
  title: string;
  /** The day, or what else the deals are called. */
  deals: string;
  percent: string;
  place: string;
  /** Each deal with its colour and its score. */
  marks: { colour: string; score: string }[];
  where: string;
}

const line = (x: number, y: number, size: number, colour: string, text: string): string =>
  `<text x="${x}" y="${y}" font-size="${size}" fill="${colour}">${text.replace(/[&<]/g, (sign) => `&#${sign.charCodeAt(0)};`)}</text>`;

/** The picture as SVG. */
export function drawn({ title, deals, percent, place, marks, where }: Card): string {
  const squares = marks.map(({ colour, score }, at) => {
    const x = 80 + at * 170;
    return `<rect x="${x}" y="400" width="150" height="120" rx="16" fill="${colour}"/><g text-anchor="middle">${line(x + 75, 474, 40, "#21160a", score)}</g>`;
  });
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${WIDTH}" height="${HEIGHT}" font-family="sans-serif" font-weight="bold"><rect width="100%" height="100%" fill="#0f3d28"/><rect x="30" y="30" width="${WIDTH - 60}" height="${HEIGHT - 60}" rx="28" fill="none" stroke="#e2b64e" stroke-width="6"/>${line(80, 125, 56, "#f5d48a", title)}${line(80, 185, 36, "#f4ead2", deals)}${line(80, 310, 110, "#ffffff", percent)}${line(80, 368, 36, "#f4ead2", place)}${squares.join("")}${line(80, 572, 30, "#f5d48a", where)}</svg>`;
}

/** The same as PNG, which everybody can send on. */
export async function pictured(card: Card): Promise<Blob> {
  const image = new Image();
  image.src = `data:image/svg+xml,${encodeURIComponent(drawn(card))}`;
  await image.decode();
  const canvas = document.createElement("canvas");
  [canvas.width, canvas.height] = [WIDTH, HEIGHT];
  canvas.getContext("2d")?.drawImage(image, 0, 0);
  return new Promise((give, fail) =>
    canvas.toBlob((made) => (made ? give(made) : fail(new Error("no picture"))), "image/png"),
  );
}

/** Hand it to the device to be shared, or else to be kept as a file. */
export async function sharePicture(card: Card): Promise<void> {
  const file = new File([await pictured(card)], "okey101.png", { type: "image/png" });
  const share = { files: [file] };
  if ("canShare" in navigator && navigator.canShare(share)) {
    await navigator.share(share).catch(() => undefined);
    return;
  }
  const link = document.createElement("a");
  link.href = URL.createObjectURL(file);
  link.download = file.name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), KEPT_MS);
}
