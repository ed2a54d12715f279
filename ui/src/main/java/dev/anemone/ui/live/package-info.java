// SPDX-License-Identifier: Apache-2.0
/** Jobs of this JVM, while they run, and the report that is left of them. */
package dev.anemone.ui.live;
