/** The bundlers as people use them for a server: each makes one program of another and of all that it imports. */
import { join } from 'node:path';
import commonjs from '@rollup/plugin-commonjs';
import json from '@rollup/plugin-json';
import { nodeResolve } from '@rollup/plugin-node-resolve';
import { build as esbuild } from 'esbuild';
import { type Plugin, rollup } from 'rollup';
import { build as vite } from 'vite';
import webpack from 'webpack';

/** Says what it warned of. The bundle begins at the path that is given, and may have more files beside it. */
export type Bundler = (input: string, output: string) => Promise<string[]>;

const webpackWith =
  ({ output: more, ...options }: webpack.Configuration): Bundler =>
  (entry, output) => {
    const path = join(output, '..');
    const filename = output.slice(path.length + 1);
    const compiler = webpack({
      context: join(entry, '..'),
      entry,
      target: 'node20',
      mode: 'production',
      ...options,
      output: { path, filename, ...more },
    });
    return new Promise((resolve, reject) => {
      compiler.run((error, stats) => {
        const said = stats?.toJson({ all: false, errors: true, warnings: true });
        compiler.close(() => {
          if (error) reject(error);
          else resolve([...(said?.errors ?? []), ...(said?.warnings ?? [])].map(({ message }) => message));
        });
      });
    });
  };

/**
 * The server of Next: modules of Node stay outside by `commonjs`, the packages of a route are taken in, by the conditions of a
 * server, unnamed modules and no minification.
 */
const next = webpackWith({
  target: 'node20.9',
  externalsPresets: { node: true },
  externals: [
    ({ request = '' }, callback) =>
      request.startsWith('node:') ? callback(undefined, `commonjs ${request}`) : callback(),
  ],
  resolve: {
    extensions: ['.js', '.mjs', '.tsx', '.ts', '.jsx', '.json', '.wasm'],
    conditionNames: ['node', 'import', 'require'],
    mainFields: ['main', 'module'],
  },
  module: { parser: { javascript: { url: 'relative' } }, strictExportPresence: true },
  optimization: { minimize: false, moduleIds: 'named', emitOnErrors: false },
});

const esbuildAs =
  (format: 'esm' | 'cjs'): Bundler =>
  async (entry, outfile) => {
    const made = await esbuild({
      entryPoints: [entry],
      outfile,
      bundle: true,
      platform: 'node',
      target: 'node20',
      format,
      logLevel: 'silent',
    });
    return [...made.errors, ...made.warnings].map(({ text }) => text);
  };

/** Their types say that they are CommonJS, and they are not. */
const asPlugin = (plugin: unknown): Plugin => (plugin as () => Plugin)();

const rollupAs =
  (format: 'esm' | 'cjs'): Bundler =>
  async (input, file) => {
    const said: string[] = [];
    const bundle = await rollup({
      input,
      plugins: [nodeResolve({ preferBuiltins: true }), asPlugin(commonjs), asPlugin(json)],
      onwarn: ({ message }) => said.push(message),
    });
    await bundle.write({ file, format, inlineDynamicImports: true });
    await bundle.close();
    return said;
  };

const viteServer: Bundler = async (entry, output) => {
  const said: string[] = [];
  const hear = (message: string): unknown => said.push(message);
  const outDir = join(output, '..');
  await vite({
    root: join(entry, '..'),
    configFile: false,
    logLevel: 'silent',
    customLogger: {
      info() {},
      warn: hear,
      warnOnce: hear,
      error: hear,
      clearScreen() {},
      hasErrorLogged: () => false,
      hasWarned: false,
    },
    ssr: { noExternal: true, target: 'node' },
    build: {
      ssr: entry,
      outDir,
      emptyOutDir: false,
      rollupOptions: { output: { entryFileNames: output.slice(outDir.length + 1) } },
    },
  });
  return said;
};

/** By name; `kind` is what Node takes the bundle for. */
export const bundlers: Readonly<Record<string, { kind: 'mjs' | 'cjs'; bundle: Bundler }>> = {
  webpack: { kind: 'cjs', bundle: webpackWith({}) },
  'webpack as a module': {
    kind: 'mjs',
    bundle: webpackWith({
      experiments: { outputModule: true },
      optimization: { minimize: false },
      output: { module: true, chunkFormat: 'module', library: { type: 'module' } },
    }),
  },
  next: { kind: 'cjs', bundle: next },
  'esbuild as a module': { kind: 'mjs', bundle: esbuildAs('esm') },
  'esbuild as CommonJS': { kind: 'cjs', bundle: esbuildAs('cjs') },
  'rollup as a module': { kind: 'mjs', bundle: rollupAs('esm') },
  'rollup as CommonJS': { kind: 'cjs', bundle: rollupAs('cjs') },
  vite: { kind: 'mjs', bundle: viteServer },
};
