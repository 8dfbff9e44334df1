import { describe, expect, it } from 'vitest'
import { WaitingLine } from '../../src/store/waiting-line.ts'

const patient = () => false
const spent = () => true

describe('WaitingLine', () => {
  it('lets one at a time try, in order of arrival', async () => {
    const line = new WaitingLine()
    const trace: string[] = []
    const visit = (name: string) =>
      line.run(patient, async () => {
        trace.push(`${name} comes`)
        await Promise.resolve()
        trace.push(`${name} goes`)
      })
    await Promise.all([visit('a'), visit('b')])
    expect(trace).toEqual(['a comes', 'a goes', 'b comes', 'b goes'])
  })

  it('goes on after one has failed', async () => {
    const line = new WaitingLine()
    const failing = line.run(patient, () => Promise.reject(new Error('busy')))
    const next = line.run(patient, () => Promise.resolve('done'))
    await expect(failing).rejects.toThrow('busy')
    expect(await next).toBe('done')
  })

  it('fails those whose patience is spent as the one before failed, without a try', async () => {
    const line = new WaitingLine()
    const tries: string[] = []
    const failing = line.run(patient, () => Promise.reject(new Error('busy')))
    const late = line.run(spent, async () => tries.push('late'))
    await expect(failing).rejects.toThrow('busy')
    await expect(late).rejects.toThrow('busy')
    expect(tries).toEqual([])
  })

  it('lets those whose patience is spent try when the one before succeeded', async () => {
    const line = new WaitingLine()
    const [first, late] = [line.run(patient, async () => 'first'), line.run(spent, async () => 'late')]
    expect(await Promise.all([first, late])).toEqual(['first', 'late'])
  })

  it('lets everything else go first when it has kept the event loop for long', async () => {
    const line = new WaitingLine()
    const trace: string[] = []
    setImmediate(() => trace.push('something else'))
    const slow = (name: string) =>
      line.run(patient, async () => {
        const startedAt = performance.now()
        while (performance.now() - startedAt < 30);
        trace.push(name)
      })
    await Promise.all([slow('a'), slow('b')])
    expect(trace).toEqual(['a', 'something else', 'b'])
  })

  it('lets everything else go first also when it is short, but never ends', async () => {
    const line = new WaitingLine()
    const trace: string[] = []
    setImmediate(() => trace.push('something else'))
    const slow = (name: string) =>
      line.run(patient, async () => {
        const startedAt = performance.now()
        while (performance.now() - startedAt < 30);
        trace.push(name)
      })
    await slow('a')
    await slow('b')
    expect(trace).toEqual(['a', 'something else', 'b'])
  })
})
