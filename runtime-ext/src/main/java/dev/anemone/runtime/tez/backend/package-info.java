// SPDX-License-Identifier: Apache-2.0
/**
 * What the two places where jobs run have in common: a Tez session, a job on it that is followed to
 * its end, and what a place must offer.
 */
package dev.anemone.runtime.tez.backend;
