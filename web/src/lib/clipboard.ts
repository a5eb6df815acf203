/** Copying a text where the page came over plain http too, and handing it on. */

/** Copy a text; whether it worked. */
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

/** Hand the address of a table on, by the device's own means or by copying; whether it copied. */
export async function shared(url: string): Promise<boolean> {
  if (!navigator.share) return copied(url);
  await navigator.share({ title: "Okey 101", url }).catch(() => undefined);
  return false;
}
