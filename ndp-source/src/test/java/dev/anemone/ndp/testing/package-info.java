// SPDX-License-Identifier: Apache-2.0
/** What tests compare the engine with. */
package dev.anemone.ndp.testing;
