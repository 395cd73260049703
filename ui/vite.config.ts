import { defineConfig } from 'vite';

// The service serves the files under /ui/ with fixed names, embedded. They are readable on purpose: a change of the
// console is reviewed as the program runs it, and a trace of an error needs no map.
const NOTICE =
  '/* Contains Preact (c) 2015-present Jason Miller and @preact/signals (c) 2022-present Preact Team, both under the MIT License. */';

export default defineConfig({
  base: '/ui/',
  build: {
    outDir: 'dist',
    emptyOutDir: true,
    target: 'es2022',
    minify: false,
    cssMinify: false,
    cssCodeSplit: false,
    modulePreload: { polyfill: false },
    assetsInlineLimit: 0,
    reportCompressedSize: false,
    rolldownOptions: {
      output: {
        entryFileNames: 'app.js',
        // What is imported when it is needed, `words-ru.ts` for one, is a file of its own with its own name.
        chunkFileNames: '[name].js',
        codeSplitting: {
          // `base.js` is what all pages are made of, so that a file of some pages is no more than those.
          groups: [
            {
              name: 'base',
              test: /node_modules|vite\/preload|src\/(api|parts|live|styles)\/|src\/(router|keys|storage|theme|title)\.|words\/(language|names|reasons(\.en)?|shell(\.en)?)\.ts/,
            },
            // What the operator's pages and the page of the API share.
            { name: 'operator', test: /src\/areas\/operator\/|words\/operator/ },
          ],
        },
        assetFileNames: (asset) => (asset.names.some((name) => name.endsWith('.css')) ? 'app.css' : '[name][extname]'),
        comments: false,
        banner: (chunk) => (chunk.name === 'base' ? NOTICE : ''),
      },
    },
  },
  server: {
    // `npm run dev`: the page reloads by itself, everything else is asked of a service that runs beside it.
    proxy: Object.fromEntries(
      ['/api', '/inbox/v1', '/admin', '/media', '/v2', '/healthz', '/readyz', '/metrics'].map((path) => [
        path,
        { target: 'http://127.0.0.1:8080', changeOrigin: true },
      ]),
    ),
  },
});
