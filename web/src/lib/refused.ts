import { ApiError } from "./api";
import { texts } from "./i18n.svelte";

/** Do something; what to say where the server refuses it, nothing where it is done. */
export async function refused(work: () => Promise<unknown>): Promise<string> {
  try {
    await work();
    return "";
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    return texts.error(error.refusal);
  }
}
