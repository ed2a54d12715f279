// SPDX-License-Identifier: Apache-2.0
/**
 * What the processes of one job share: its directory of reports, plans as bytes, and in each JVM
 * its class loader, data plane and objects.
 */
package dev.anemone.runtime.tez.job;
