// A style that is imported for its effect: the build puts it into page.css.
declare module '*.css';
