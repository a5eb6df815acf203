/** The page's socket is the one of the package that other people's programs use. */

export * from "../../../clients/js/src/connection";
