import { beforeEach, describe, expect, it, vi } from "vitest";

import { api, ApiError, type Me } from "../src/lib/api";
import { forget, keptName, me } from "../src/lib/me.svelte";
import { OFFLINE } from "../src/lib/refusal";

function person(name: string, account = false): Me {
  const kept = {
    language: "tr",
    tables: [],
    moderator: false,
    shown: false,
    listed: true,
    weighed: true,
  };
  return { id: "u1", name, face: null, account, public: false, ...kept };
}

it("is written to in the language that was chosen last", async () => {
  const said = vi.spyOn(api, "setLanguage");
  said.mockImplementation((language) => Promise.resolve({ ...person("Ece"), language }));
  me.user = person("Ece");
  await Promise.all([me.speak("en"), me.speak("tr"), me.speak("en")]);
  expect([said.mock.lastCall, me.user.language]).toEqual([["en"], "en"]);
  said.mockClear().mockRejectedValue(new ApiError(0, OFFLINE));
  await me.speak("tr");
  me.user = null;
  await me.speak("en");
  expect(said).toHaveBeenCalledOnce();
});

describe("a name", () => {
  const guest = vi.spyOn(api, "guest");
  const rename = vi.spyOn(api, "rename");

  beforeEach(() => {
    localStorage.clear();
    vi.resetAllMocks();
    guest.mockImplementation((name) => Promise.resolve(person(name)));
    rename.mockImplementation((name) => Promise.resolve(person(name)));
    me.user = null;
  });

  it("that was chosen is kept on the device", async () => {
    await me.become(" Ayşe ");
    expect(me.user?.name).toBe("Ayşe");
    expect(keptName()).toBe("Ayşe");
    await me.become("Ece");
    expect(rename).toHaveBeenCalledExactlyOnceWith("Ece");
    expect(keptName()).toBe("Ece");
  });

  it("comes with the face that was shown before", async () => {
    const shown = me.face;
    expect(me.face).toBe(shown);
    await me.become("Ayşe");
    expect(guest.mock.calls[0]?.[2]).toBe(shown);
  });

  it("that was made up is nobody's choice, shown again or not", async () => {
    await me.become(" ");
    const name = me.user?.name ?? "";
    expect(name).not.toBe("");
    await me.become(name);
    expect(keptName()).toBe("");
    expect(rename).not.toHaveBeenCalled();
  });

  it("stays where none is given, and where it is an account's", async () => {
    me.user = person("Ece");
    await me.become("");
    me.user = person("Ece", true);
    await me.become("Ayşe");
    expect(me.user.name).toBe("Ece");
    expect([rename.mock.calls, guest.mock.calls, keptName()]).toEqual([[], [], ""]);
  });

  it("makes one guest, however often it is given at once", async () => {
    await Promise.all([me.become("Ayşe"), me.become("Ayşe"), me.become("")]);
    expect([guest.mock.calls.length, rename.mock.calls.length]).toEqual([1, 0]);
    guest.mockRejectedValueOnce(new Error("no"));
    me.user = null;
    await expect(me.become("Ece")).rejects.toThrow();
    await me.become("Ece");
    expect(me.user).toMatchObject({ name: "Ece" });
  });

  it("makes no second guest where another window has made one", async () => {
    localStorage.setItem("okey101.me", JSON.stringify(person("Ece")));
    vi.spyOn(api, "session").mockResolvedValueOnce({ user: person("Ece"), notice: false });
    await me.become("");
    expect([me.user?.name, guest.mock.calls]).toEqual(["Ece", []]);
  });

  it("that the server refuses is not kept", async () => {
    guest.mockRejectedValue(new Error("no"));
    await expect(me.become("Ayşe")).rejects.toThrow();
    expect(keptName()).toBe("");
  });
});

describe("who comes back", () => {
  const refused = (status: number, code: string): ApiError =>
    new ApiError(status, { code, message: "", rule: null, details: {} });

  it.each([
    [0, "offline"],
    [502, "offline"],
    [503, "draining"],
    [503, "overloaded"],
    [429, "rate-limited"],
  ])("stays somebody while the server says %i, %s", async (status, code) => {
    me.user = person("Ece");
    vi.spyOn(api, "session").mockRejectedValueOnce(refused(status, code));
    await me.look();
    expect(me.user.name).toBe("Ece");
  });

  it("is nobody once another window has signed out", async () => {
    me.user = person("Ece");
    const asked = vi.spyOn(api, "session").mockResolvedValue({ user: null, notice: false });
    asked.mockClear();
    const heard = (): boolean => window.dispatchEvent(new Event("storage"));
    heard();
    expect(asked).not.toHaveBeenCalled();
    localStorage.removeItem("okey101.me");
    heard();
    await vi.waitFor(() => expect(me.user).toBeNull());
    heard();
    expect(asked).toHaveBeenCalledOnce();
  });

  it("is nobody once the server says so", async () => {
    me.user = person("Ece");
    vi.spyOn(api, "session").mockRejectedValueOnce(refused(403, "banned"));
    await me.look();
    expect(me.user).toBeNull();
  });
});

describe("who logs out", () => {
  it("leaves nothing on the device but how the page looks and speaks", () => {
    localStorage.clear();
    const stays = { "okey101.language": "tr", "okey101.settings": "{}" };
    const goes = { "okey101.name": "Ayşe", "okey101.rack.t": "[]", "okey101.fairness": "5e" };
    for (const [key, value] of Object.entries({ ...stays, ...goes }))
      localStorage.setItem(key, value);
    forget();
    expect({ ...localStorage }).toEqual(stays);
  });
});
