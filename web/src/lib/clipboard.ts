/** Copying a text, even where the page came over plain http, and sharing it. */

import { texts } from "./i18n.svelte";

/** Copy a text; returns whether it worked. */
export async function copied(text: string): Promise<boolean> {
  if (window.isSecureContext) {
    try {
      await navigator.clipboard.writeText(text);
      return true;
    } catch {
      // refused: the old way is tried
    }
  }
  const field = document.createElement("textarea");
  field.value = text;
  field.style.position = "fixed";
  field.style.opacity = "0";
  document.body.append(field);
  field.select();
  const done = document.execCommand("copy");
  field.remove();
  return done;
}

/** The address that leads others to a table, and messengers to its card in one's own language. */
export function linkOf(table: string): string {
  return `${location.origin}/t/${table}?l=${texts.language}`;
}

/** Share the address of a table, by the device's means or by copying; returns whether it copied. */
export async function shared(url: string): Promise<boolean> {
  if (!navigator.share) return copied(url);
  await navigator.share({ title: "Okey 101", url }).catch(() => undefined);
  return false;
}
