import { expect, test } from 'vitest'

import { spread } from './spread'

test('places that are far enough apart stay', () => {
  expect(spread([10, 80, 40], 20, 0, 100)).toEqual([10, 80, 40])
})

test('places that are too close are moved apart in their order', () => {
  expect(spread([50, 50, 45], 20, 0, 100)).toEqual([65, 85, 45])
})

test('nothing is moved over the end', () => {
  expect(spread([95, 100, 98], 20, 0, 100)).toEqual([60, 100, 80])
  expect(spread([-5, 3], 20, 0, 100)).toEqual([0, 20])
})
