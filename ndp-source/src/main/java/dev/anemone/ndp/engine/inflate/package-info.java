// SPDX-License-Identifier: Apache-2.0
/** The text that is in compressed files, while they are read. */
package dev.anemone.ndp.engine.inflate;
