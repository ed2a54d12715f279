// SPDX-License-Identifier: Apache-2.0
/**
 * Tez in this JVM: an application master without a network, containers that are threads, and the
 * data planes of their jobs.
 */
package dev.anemone.runtime.tez.local;
