/** All that the page says in English, as one file. */

const catalogues = import.meta.glob<string>(
  "../../../src/okey101/locales/en/{page,server,game,fields,card}.ftl",
  { query: "?raw", import: "default", eager: true },
);

export default Object.values(catalogues);
