/// <reference types="vitest/config" />
import { svelte } from '@sveltejs/vite-plugin-svelte'
import { defineConfig } from 'vite'

const server = process.env['INDUSTRY_SERVER'] ?? 'http://127.0.0.1:8000'

export default defineConfig({
  plugins: [svelte()],
  build: {
    outDir: '../src/industry/server/static',
    emptyOutDir: true,
    // the page's security policy allows no inline script
    modulePreload: { polyfill: false },
    assetsInlineLimit: 0,
    target: 'es2022',
    // the game, and the board editor of `industry board edit`
    rolldownOptions: { input: ['index.html', 'editor.html'] },
  },
  server: {
    // pictures and catalogues come from the Python package beside this folder
    fs: { allow: ['..'] },
    proxy: { '/api': { target: server, ws: true } },
  },
  test: { environment: 'happy-dom', include: ['src/**/*.test.ts'] },
  // without this, tests would load Svelte's version for servers
  ...(process.env['VITEST'] ? { resolve: { conditions: ['browser'] } } : {}),
})
