// The files of the page by name. The build puts them here when it bundles the plugin (src/build/page.ts), so that no path has to be
// found at run time; before that there are none.

export type PageFiles = Readonly<Record<string, string>>;

export const pageFiles: PageFiles = {};
