import { defineConfig } from 'rolldown';

// Split ESM, every command behind import(): a command pays only for what it loads.
// Native modules stay outside; conf's schema validator is never used and costs 12 ms to load.
export default defineConfig({
  input: { start: 'src/cli/start.ts' },
  platform: 'node',
  external: [/^node:/, '@napi-rs/keyring', '@photostructure/sqlite'],
  resolve: {
    alias: {
      'ajv/dist/2020.js': new URL('./src/cli/config/no-schema.ts', import.meta.url).pathname,
      'ajv-formats': new URL('./src/cli/config/no-schema.ts', import.meta.url).pathname,
    },
  },
  output: {
    dir: 'dist',
    format: 'esm',
    entryFileNames: '[name].js',
    chunkFileNames: 'chunks/[name]-[hash].js',
    cleanDir: true,
  },
});
