import { type Plugin, defineConfig } from 'vite';

// The service serves the files under /ui/ with fixed names, embedded. They are readable on purpose: a change of the
// console is reviewed as the program runs it, and a trace of an error needs no map.
const NOTICE =
  '/* Contains Preact (c) 2015-present Jason Miller and @preact/signals (c) 2022-present Preact Team, both under the MIT License. */';

// The first file runs when it is here: what has no `async` waits for the styles.
const START: Plugin = {
  name: 'start',
  transformIndexHtml: {
    order: 'post',
    handler: (html) => html.replace('<script type="module" crossorigin src="/ui/start.js">', (tag) => tag.replace('module"', 'module" async')),
  },
};

export default defineConfig({
  base: '/ui/',
  plugins: [START],
  // Where packages are kept does not show in what is built, a linked directory of theirs included.
  resolve: { preserveSymlinks: true },
  build: {
    outDir: 'dist',
    emptyOutDir: true,
    target: 'es2022',
    minify: false,
    cssMinify: false,
    modulePreload: { polyfill: false },
    assetsInlineLimit: 0,
    reportCompressedSize: false,
    rolldownOptions: {
      output: {
        // What is imported when it is needed, `work.ts` for one, is a file of its own with its own name, and so is its style.
        chunkFileNames: '[name].js',
        assetFileNames: '[name][extname]',
        codeSplitting: {
          // Each with what its modules import, as far as no group before it has that.
          groups: [
            { name: 'start', test: /vite\/preload|src\/start\.ts|words\/counted/ },
            { name: 'app', test: /src\/main\.tsx/ },
            // What pages that are fetched later share, and what the operator's pages and the page of the API share.
            { name: 'parts', test: /src\/(parts|api)\/|words\/reasons/ },
            { name: 'operator', test: /src\/areas\/operator\/|words\/operator/ },
          ],
        },
        comments: false,
        banner: (chunk) => (chunk.name === 'app' ? NOTICE : ''),
      },
    },
  },
  server: {
    // `npm run dev`: the page reloads by itself, everything else is asked of a service that runs beside it.
    proxy: Object.fromEntries(
      ['/api', '/inbox/v1', '/admin', '/dev/v1', '/media', '/v2', '/healthz', '/readyz', '/metrics'].map((path) => [
        path,
        { target: 'http://127.0.0.1:8080', changeOrigin: true },
      ]),
    ),
  },
});
