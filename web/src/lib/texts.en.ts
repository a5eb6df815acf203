/** What the page says in English until something is refused, as one file. */

const catalogues = import.meta.glob<string>("../../../src/okey101/i18n/en/{page,phrases}.ftl", {
  query: "?raw",
  import: "default",
  eager: true,
});

export default Object.values(catalogues);
