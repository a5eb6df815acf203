/** All that the page says in English, as one file. */

const catalogues = import.meta.glob<string>(
  "../../../src/okey101/i18n/en/{page,server,phrases,game,fields,card}.ftl",
  { query: "?raw", import: "default", eager: true },
);

export default Object.values(catalogues);
