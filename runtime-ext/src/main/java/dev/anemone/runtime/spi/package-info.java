// SPDX-License-Identifier: Apache-2.0
/**
 * What a front end implements so that its sources, operators and coders run inside tasks, and what
 * the runtime offers them in return.
 */
package dev.anemone.runtime.spi;
