/** undici's parts have no types of their own: they are what its index exports under the same names. */
declare module 'undici/lib/dispatcher/agent.js' {
  import { Agent } from 'undici';
  export default Agent;
}
declare module 'undici/lib/core/util.js' {
  import { util } from 'undici';
  export default util;
}
