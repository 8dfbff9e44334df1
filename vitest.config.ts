import { defineConfig } from 'vitest/config'

/** Tests that need neither dist/ nor a Temporal server. */
const unit = [
  'test/{core,model,store,tools,testing,scripts}/**/*.test.ts',
  'test/console/view/**/*.test.ts',
  'test/gateway/**/mapping/*.test.ts',
  'test/gateway/protocols/durable-streams/*.test.ts',
  'test/config.test.ts',
]

export default defineConfig({
  test: {
    maxWorkers: 2,
    coverage: {
      provider: 'v8',
      include: ['src/**/*.ts'],
      reporter: ['text-summary', 'html', 'json-summary'],
    },
    projects: [
      {
        test: { name: 'unit', include: unit, testTimeout: 10_000 },
      },
      {
        test: {
          name: 'server',
          include: ['test/**/*.test.ts'],
          exclude: unit,
          globalSetup: ['test/support/global-setup.ts'],
          testTimeout: 60_000,
          hookTimeout: 60_000,
        },
      },
    ],
  },
})
