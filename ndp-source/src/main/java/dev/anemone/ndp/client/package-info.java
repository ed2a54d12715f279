// SPDX-License-Identifier: Apache-2.0
/**
 * The compute side of near-data processing: asks proxies to run plans, and notices every answer
 * that is not whole.
 */
package dev.anemone.ndp.client;
