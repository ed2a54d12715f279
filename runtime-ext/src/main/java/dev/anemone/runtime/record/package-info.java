// SPDX-License-Identifier: Apache-2.0
/** Records as bytes, on their way between operators and the data plane. */
package dev.anemone.runtime.record;
