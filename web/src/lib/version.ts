/** Whether the server is of another version than this page. */

import { api } from "./api";

export async function otherVersion(): Promise<boolean> {
  try {
    return (await api.version()).version !== __VERSION__;
  } catch {
    return false;
  }
}
