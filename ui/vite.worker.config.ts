import { defineConfig } from 'vite';

// The worker is one file with all that it needs: not every browser lets a worker import others.
export default defineConfig({
  base: '/ui/',
  resolve: { preserveSymlinks: true },
  build: {
    outDir: 'dist',
    emptyOutDir: false,
    copyPublicDir: false,
    target: 'es2022',
    minify: false,
    reportCompressedSize: false,
    rolldownOptions: {
      input: 'src/worker.ts',
      output: { format: 'iife', entryFileNames: 'worker.js', comments: false },
    },
  },
});
