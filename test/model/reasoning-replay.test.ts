import { describe, expect, it } from 'vitest'
import { defaultReasoningReplay } from '../../src/model/reasoning-replay.ts'

describe('defaultReasoningReplay', () => {
  it.each([
    ['api.deepseek.com', 'deepseek-chat', 'always'],
    ['api.moonshot.ai', 'kimi-k2-thinking', 'always'],
    ['api.moonshot.cn', 'kimi-latest', 'always'],
    ['api.z.ai', 'glm-4.7', 'always'],
    ['open.bigmodel.cn', 'glm-5', 'always'],
    ['api.openai.com', 'gpt-5', 'never'],
    ['my.openai.azure.com', 'deepseek-v4-pro', 'never'],
    ['api.groq.com', 'moonshotai/kimi-k2-instruct', 'never'],
    ['openrouter.ai', 'anthropic/claude', 'within-turn'],
    ['openrouter.ai', 'deepseek/deepseek-v4-pro', 'always'],
    ['gateway.example', 'deepseek-v4-flash', 'always'],
    ['gateway.example', 'moonshotai/Kimi-K2-Thinking', 'always'],
    ['127.0.0.1', 'qwen3', 'never'],
    ['notdeepseek.com', 'x', 'never'],
  ])('for %s with %s is %s', (hostname, model, replay) => {
    expect(defaultReasoningReplay(hostname, model)).toBe(replay)
  })
})
