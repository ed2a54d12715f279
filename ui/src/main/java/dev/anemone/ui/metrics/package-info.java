// SPDX-License-Identifier: Apache-2.0
/** Jobs and this JVM as meters of Micrometer, in the text format of Prometheus. */
package dev.anemone.ui.metrics;
