// The rules for the client's code. Prettier formats it; svelte-check knows the types.
import js from '@eslint/js'
import svelte from 'eslint-plugin-svelte'
import { defineConfig } from 'eslint/config'
import globals from 'globals'
import ts from 'typescript-eslint'
import svelteConfig from './svelte.config.js'

export default defineConfig(
  // protocol.ts is generated; public/ holds plain scripts that run before the page's own
  { ignores: ['node_modules/', 'public/', 'src/lib/protocol.ts'] },
  js.configs.recommended,
  ts.configs.strict,
  ts.configs.stylistic,
  svelte.configs.recommended,
  svelte.configs.prettier,
  {
    languageOptions: { globals: { ...globals.browser, ...globals.node } },
    linterOptions: { reportUnusedDisableDirectives: 'error' },
    rules: {
      eqeqeq: 'error',
      'no-console': 'error',
      'no-implicit-coercion': 'error',
      'object-shorthand': 'error',
      'prefer-template': 'error',
      '@typescript-eslint/consistent-type-imports': 'error',
      '@typescript-eslint/explicit-function-return-type': ['error', { allowExpressions: true }],
      'max-lines': ['error', 400],
      'max-lines-per-function': ['error', 40],
      complexity: ['error', { max: 15, variant: 'modified' }],
      // noUncheckedIndexedAccess asks at every index; `!` states that a list has an entry for each seat or field
      '@typescript-eslint/no-non-null-assertion': 'off',
      '@typescript-eslint/no-invalid-void-type': 'error',
      'svelte/no-target-blank': 'error',
      'svelte/button-has-type': 'error',
      'svelte/require-each-key': 'error',
      'svelte/valid-style-parse': 'error',
    },
  },
  {
    files: ['**/*.svelte', '**/*.svelte.ts'],
    languageOptions: { parserOptions: { parser: ts.parser, svelteConfig } },
  },
  {
    // a `describe` is a list of tests, not a function to be understood at once
    files: ['**/*.test.ts'],
    rules: { 'max-lines-per-function': 'off' },
  },
)
