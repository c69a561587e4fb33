/** The text of a file, as Vite gives it, and the build by a plugin (rolldown.config.js). */
declare module '*?raw' {
  const text: string;
  export default text;
}
