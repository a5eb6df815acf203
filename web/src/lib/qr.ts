/** Pictures of addresses for the cameras of phones; a part of its own, for the owner of a table. */

export { renderSVG } from "uqr";
